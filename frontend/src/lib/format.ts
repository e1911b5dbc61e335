/** Numbers, sizes and times in one language's digits. */
export type Format = ReturnType<typeof formatter>;

const nanosecondsInSecond = 1e9;

export function formatter(locale: string) {
  const integer = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const one = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const two = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const three = new Intl.NumberFormat(locale, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
  const difference = new Intl.NumberFormat(locale, {
    minimumFractionDigits: 3,
    maximumFractionDigits: 3,
    signDisplay: 'always',
  });
  const percent = new Intl.NumberFormat(locale, { style: 'percent' });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  // The short form of a size is Latin in Persian, which would turn a phrase around.
  const unitDisplay = locale.startsWith('fa') ? 'long' : 'short';
  const unit = (n: number, name: string) =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit: name,
      unitDisplay: name === 'byte' ? 'long' : unitDisplay, // the short one has no plural
      maximumFractionDigits: n >= 10 ? 0 : 1,
    }).format(n);

  /** A size in the largest unit that leaves at least 1. */
  const bytes = (n: number): string => {
    const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];
    let step = 0;
    while (n >= 1000 && step < units.length - 1) {
      n /= 1000;
      step++;
    }
    return unit(n, units[step]!);
  };

  return {
    integer: (n: number) => integer.format(n),
    /** A score in [0,1]. */
    score: (n: number) => two.format(n),
    /** A share of 1. */
    percent: (n: number) => percent.format(n),
    /** A stage's own score, on whatever scale it has. */
    raw: (n: number) => three.format(n),
    /** A difference of two of those, with its sign. */
    signed: (n: number) => difference.format(n),
    bytes,
    date: (when: Date) => day.format(when),
    /** A moment, to the minute, in the calendar and the time zone of the analyst. */
    moment: (iso: string) => moment.format(new Date(iso)),
    /** How many of something a second: whole ones from ten on. */
    rate: (n: number) => (n >= 10 ? integer : one).format(n),
    /** Milliseconds, as seconds from a second on. */
    ms: (n: number) => {
      if (n >= 1000) return unit(n / 1000, 'second');
      return unit(n, 'millisecond');
    },
    /** A rough time from Go's nanoseconds: whole seconds, or minutes from ninety seconds on. */
    duration: (nanoseconds: number) => {
      const seconds = Math.max(1, Math.round(nanoseconds / nanosecondsInSecond));
      return seconds < 90 ? unit(seconds, 'second') : unit(Math.round(seconds / 60), 'minute');
    },
  };
}

/** The last part of a path of either kind of system. */
export function fileName(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
}

/** A path of headings without its first one where that only repeats the document's title. */
export function placeInside(title: string, heading: string): string {
  const [first, ...rest] = heading.split(' › ');
  return first === title ? rest.join(' › ') : heading;
}
