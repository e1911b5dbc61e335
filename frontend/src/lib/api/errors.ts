/** What went wrong, as the window shows it: a code for programs, a sentence, and what to do next. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  constructor(
    readonly code: string,
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }

  /** Ended on purpose: by a newer search, by Esc, by closing. Nothing to show. */
  get canceled(): boolean {
    return this.code === 'canceled';
  }
}

/**
 * Makes any rejection an ApiError. The shell sends its problems as JSON text, which arrives as an
 * Error's message; everything else is a fault of the shell itself.
 */
export function toApiError(reason: unknown): ApiError {
  if (reason instanceof ApiError) return reason;
  const text = reason instanceof Error ? reason.message : String(reason);
  try {
    const problem: unknown = JSON.parse(text);
    if (typeof problem === 'object' && problem !== null && 'code' in problem && 'message' in problem) {
      const hint = 'hint' in problem && typeof problem.hint === 'string' ? problem.hint : '';
      return new ApiError(String(problem.code), String(problem.message), hint);
    }
  } catch {
    // not JSON: the text is the message
  }
  return new ApiError('internal', text, '');
}
