import { isolated } from '../text/isolate';
import type { syntax as english } from './syntax.en';

export const syntax: typeof english = {
  label: 'آنچه پرسش جز واژه‌ها می‌خواهد',
  remove: (what) => `برداشتن: ${what}`,
  or: 'یا',
  not: (what) => `جز ${what}`,
  kinds: {
    phrase: (value) => `عبارت «${isolated(value)}»`,
    word: (value) => `بدون ${isolated(value)}`,
    any: (value) => `یکی از: ${isolated(value)}`,
    heading: (value) => `در سرتیتر: ${isolated(value)}`,
    file: (value) => `پرونده: ${isolated(value)}`,
    type: (value) => `نوع: ${isolated(value)}`,
    lang: (value) => `زبان: ${isolated(value)}`,
    before: (value) => `پیش از ${isolated(value)}`,
    after: (value) => `از ${isolated(value)} به بعد`,
  },
  listed: 'پرسش تنها صافی دارد و واژه ندارد: تازه‌ترین سندها نخست می‌آیند.',
  noneHint: 'هیچ قطعه‌ای با همهٔ آنچه زیر جعبهٔ جست‌وجوست جور نیست. چیزی از آن بردارید.',
  undated: 'بی‌تاریخ',
  dateNote: 'تاریخ سند: آنچه خود سند می‌گوید، وگرنه زمان آخرین تغییر پرونده.',
  tips: [
    { example: '"قرارداد اجاره"', text: 'عین عبارت' },
    { example: '-پیش‌نویس', text: 'بدون یک واژه' },
    { example: 'اجاره OR رهن', text: 'یکی از آن‌ها' },
    { example: 'نوع:pdf  پرونده:گزارش*', text: 'با قالب، با نام یا پوشه' },
    { example: 'پس‌از:۱۴۰۲/۵  زبان:عربی', text: 'با تاریخ، با زبان' },
    { example: 'در:عنوان بودجه', text: 'در سرتیتر' },
  ],
};
