/** What the process's exit status means. */
export const ExitCode = {
  /** Done. */
  Done: 0,
  /** The tool ran and says it failed (`isError`). */
  ToolFailed: 1,
  /** The command line or its arguments are wrong; nothing was sent. */
  Usage: 2,
  /** The server could not be reached or started, or it went away. */
  Connection: 3,
  /** Authorization is needed or was refused. */
  Authorization: 4,
  /** The server answered with a protocol error, or with what the protocol does not allow. */
  Protocol: 5,
  /** The server needs input that nobody gave; the continuation is saved. */
  InputRequired: 6,
  /** Timed out. */
  Timeout: 7,
  /** The result breaks the tool's `outputSchema` (with `--strict`). */
  OutputMismatch: 8,
  /** A local policy refused it. */
  Refused: 9,
  /** A defect of this program, or its output cannot be written. */
  Defect: 70,
  /** Interrupted. */
  Interrupted: 130,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
