/** Numbers, sizes and times in one language's digits. */
export type Format = ReturnType<typeof formatter>;

const nanosecondsInSecond = 1e9;

/** What is made of some options, once, when it is first asked for: a format of numbers takes milliseconds to make. */
function once<O, F>(make: (options: O) => F): (options: O) => F {
  const made = new Map<string, F>();
  return (options) => {
    const key = JSON.stringify(options);
    let format = made.get(key);
    if (format === undefined) made.set(key, (format = make(options)));
    return format;
  };
}

export function formatter(locale: string) {
  const numbers = once((options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options));
  const times = once((options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options));
  const number = (n: number, options: Intl.NumberFormatOptions) => numbers(options).format(n);
  const atMost = (digits: number) => ({ maximumFractionDigits: digits });
  const exactly = (digits: number) => ({ minimumFractionDigits: digits, maximumFractionDigits: digits });

  // The short form of a size is Latin in Persian, which would turn a phrase around.
  const unitDisplay = locale.startsWith('fa') ? 'long' : 'short';
  const unit = (n: number, name: string) =>
    number(n, {
      style: 'unit',
      unit: name,
      unitDisplay: name === 'byte' ? 'long' : unitDisplay, // the short one has no plural
      ...atMost(n >= 10 ? 0 : 1),
    });

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
    integer: (n: number) => number(n, atMost(0)),
    /** A score in [0,1]. */
    score: (n: number) => number(n, exactly(2)),
    /** A share of 1. */
    percent: (n: number) => number(n, { style: 'percent' }),
    /** A stage's own score, on whatever scale it has. */
    raw: (n: number) => number(n, exactly(3)),
    /** A difference of two of those, with its sign. */
    signed: (n: number) => number(n, { ...exactly(3), signDisplay: 'always' }),
    bytes,
    date: (when: Date) => times({ dateStyle: 'medium' }).format(when),
    /** A moment, to the minute, in the calendar and the time zone of the analyst. */
    moment: (iso: string) => times({ dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso)),
    /** How many of something a second: whole ones from ten on. */
    rate: (n: number) => number(n, atMost(n >= 10 ? 0 : 1)),
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
