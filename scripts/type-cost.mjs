// What it costs the compiler to check a program that uses the packages, in types and instantiations: those do not depend
// on the machine's mood. The budgets are in type-cost.json.
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { binOf, capture, root } from './workspace.mjs';

const TOOLS = 200;

const many = (tool) => Array.from({ length: TOOLS }, (_, at) => tool(at)).join('\n');
const head = `import { Server } from '@dragoman/server';\nconst server = new Server({ name: 'many', version: '1.0.0' });\n`;

/** Programs by the name of their budget. Every tool has a schema of its own, so that no work is shared. */
const programs = {
  'the import alone': `${head}export { server };\n`,
  'JSON Schema': `${head}${many(
    (at) => `server.tool('t${at}', {
  description: 'Tool ${at}',
  input: { type: 'object', properties: { text${at}: { type: 'string' }, count: { type: 'integer' }, tags: { type: 'array', items: { type: 'string' } } }, required: ['text${at}'] },
  output: { type: 'object', properties: { total: { type: 'number' } } },
}, ({ text${at}, count, tags }, ctx) => { ctx.progress(1); return { structured: { total: text${at}.length + (count ?? 0) + (tags ?? []).length } }; });`,
  )}`,
  zod: `import { z } from 'zod';\n${head}${many(
    (at) => `server.tool('t${at}', {
  description: 'Tool ${at}',
  input: z.object({ text${at}: z.string(), count: z.int().optional(), tags: z.array(z.string()).default([]) }),
  output: z.object({ total: z.number() }),
}, async ({ text${at}, count, tags }, ctx) => {
  ctx.progress(1);
  return { structured: { total: text${at}.length + (count ?? 0) + tags.length } };
});`,
  )}`,
  client: `import { connect } from '@dragoman/client';
const client = await connect('https://mcp.example.com/mcp');
const { content } = await client.callTool('weather', { city: 'Rome' });
export const texts = content.map((block) => (block.type === 'text' ? block.text : ''));
`,
};

const budgetFile = join(root, 'scripts', 'type-cost.json');

/** Names of the budgets. */
export const budgets = Object.keys(programs);

/** Figures of `tsc --extendedDiagnostics`, and what it found wrong. */
async function compile(home, name) {
  const dir = join(home, 'cost', name.replaceAll(' ', '-'));
  mkdirSync(dir, { recursive: true });
  const zod = join(home, 'node_modules', 'zod');
  if (!existsSync(zod)) symlinkSync(realpathSync(join(root, 'node_modules', 'zod')), zod, 'junction');
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(dir, 'index.ts'), programs[name]);
  const compilerOptions = {
    strict: true,
    module: 'NodeNext',
    target: 'ES2022',
    lib: ['ES2023'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules', '@types')],
    skipLibCheck: true,
    noEmit: true,
  };
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['index.ts'] }));
  const { code, output } = await capture(process.execPath, [
    binOf('typescript', 'tsc'),
    '-p',
    dir,
    '--extendedDiagnostics',
  ]);
  const figure = (label) => Number(new RegExp(`^${label}:\\s+(\\d+)`, 'm').exec(output)?.[1]);
  return { code, output, types: figure('Types'), instantiations: figure('Instantiations') };
}

/**
 * Holds the cost of a program against its budget.
 * @returns {Promise<{ problem?: string, figures: string }>}
 */
export async function typeCost(home, name) {
  const { code, output, types, instantiations } = await compile(home, name);
  const figures = `${types} types, ${instantiations} instantiations`;
  if (code !== 0 || Number.isNaN(types + instantiations)) return { problem: output.trim(), figures };
  const budget = JSON.parse(readFileSync(budgetFile, 'utf8'))[name];
  if (types <= budget.types && instantiations <= budget.instantiations) return { figures };
  return {
    problem: `${figures}; scripts/type-cost.json allows ${budget.types} and ${budget.instantiations}. Make the types cheaper, or say in the commit why they may cost more`,
    figures,
  };
}
