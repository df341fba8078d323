/** Colours and weights; each function leaves the text alone where colour is off. */
export interface Style {
  readonly enabled: boolean;
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  blue(text: string): string;
  magenta(text: string): string;
  cyan(text: string): string;
}

const plain = (text: string): string => text;
const sgr = (open: number, close: number) => (text: string) => `\u001b[${open}m${text}\u001b[${close}m`;

const off: Style = {
  enabled: false,
  bold: plain,
  dim: plain,
  red: plain,
  green: plain,
  yellow: plain,
  blue: plain,
  magenta: plain,
  cyan: plain,
};

const on: Style = {
  enabled: true,
  bold: sgr(1, 22),
  dim: sgr(2, 22),
  red: sgr(31, 39),
  green: sgr(32, 39),
  yellow: sgr(33, 39),
  blue: sgr(34, 39),
  magenta: sgr(35, 39),
  cyan: sgr(36, 39),
};

/** The style for a stream. */
export const styleOf = (coloured: boolean): Style => (coloured ? on : off);

/** When to use colour. `auto`: on a terminal that is not dumb, unless `NO_COLOR` is set and not empty (no-color.org). */
export type ColorMode = 'auto' | 'always' | 'never';

/** Whether to colour what goes to a stream. An explicit mode wins over the environment. */
export function wantsColor(mode: ColorMode, isTerminal: boolean, env: NodeJS.ProcessEnv): boolean {
  if (mode !== 'auto') return mode === 'always';
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  return isTerminal && env.TERM !== 'dumb';
}
