import type { Template } from '../sentences';

// جمله‌های خود برنامه، به فارسی. چپ همان است که در کد Go آمده و {} جای بخش‌های متغیر است.

export const sentences: Template[] = [
  ['No API key for Cohere is set.', () => 'کلیدی برای Cohere تنظیم نشده است.'],
];
