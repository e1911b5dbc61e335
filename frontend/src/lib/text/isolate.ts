/** A text that keeps its own direction within a sentence of another: between Unicode's isolates. */
export const isolated = (text: string): string => `\u2068${text}\u2069`;
