import { join } from 'node:path';
import ts from 'typescript';
import { type Block, flag } from './blocks.ts';

/** The root of the repository. */
export const root = join(import.meta.dirname, '../..');

/** Languages of blocks that are compiled. */
export const isCode = (block: Block): boolean => block.language === 'ts' || block.language === 'js';

/** A block's own module, which nobody else writes to. */
function moduleOf(block: Block): string {
  const extension = flag(block, 'file')?.endsWith('.mjs') === true || block.language === 'js' ? 'mjs' : 'ts';
  return join(root, 'docs', `${block.page.replaceAll('/', '-')}-${block.line}.${extension}`);
}

const source = (block: Block): string =>
  // Without imports and exports of its own it would be a script, and share its names with others.
  `${block.prelude === '' ? '' : `${block.prelude}\n`}${block.text}\nexport {};\n`;

/** Blocks and files, compiled. */
export interface Compiled {
  readonly program: ts.Program;
  /** What is wrong with a block or file. */
  problemsOf(of: Block | string): string[];
}

/** Compiles blocks and files as one program, with the options of the workspace. */
export function compile(blocks: readonly Block[], files: readonly string[]): Compiled {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
  // Examples in JavaScript are held to the same types.
  const all: ts.CompilerOptions = { ...options, allowJs: true, checkJs: true, noUncheckedSideEffectImports: true };
  const texts = new Map(blocks.map((block) => [moduleOf(block), source(block)]));
  const host = ts.createCompilerHost(all);
  const { readFile, fileExists, getSourceFile } = host;
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  host.getSourceFile = (path, ...rest) => {
    const text = texts.get(path);
    return text === undefined ? getSourceFile(path, ...rest) : ts.createSourceFile(path, text, rest[0]);
  };
  const program = ts.createProgram([...texts.keys(), ...files], all, host);
  const problemsOf = (of: Block | string): string[] => {
    const module = typeof of === 'string' ? of : moduleOf(of);
    const file = program.getSourceFile(module);
    if (file === undefined) return [`${module} is no part of the program`];
    const offset = typeof of === 'string' ? 1 : of.line + 1 - (of.prelude === '' ? 0 : of.prelude.split('\n').length);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map((problem) => {
      const line = file.getLineAndCharacterOfPosition(problem.start ?? 0).line + offset;
      return `line ${line}: ${ts.flattenDiagnosticMessageText(problem.messageText, '\n')}`;
    });
  };
  return { program, problemsOf };
}
