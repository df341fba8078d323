// npm run docs:api: the reference of the packages' public faces, in docs/api. npm run docs:api -- --check only looks
// whether everything public is documented and every link leads somewhere. Ends with N passed, N failed.
import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Application, ReflectionKind, TSConfigReader, TypeDocReader } from 'typedoc';
import { ensureInstalled } from './ensure.mjs';
import { main, root, StepFailed } from './workspace.mjs';

const required =
  ReflectionKind.Class |
  ReflectionKind.Interface |
  ReflectionKind.Function |
  ReflectionKind.Variable |
  ReflectionKind.TypeAlias |
  ReflectionKind.Property |
  ReflectionKind.Method |
  ReflectionKind.Accessor |
  ReflectionKind.Constructor;

/** Where members bear the names of a specification, which says what they are; their type's docstring says which. */
const specified = [
  /^packages\/protocol\/src\/messages\//,
  /^packages\/protocol\/src\/(?:methods|notifications|json-rpc)\.ts$/,
  /^packages\/protocol\/src\/json-schema\/standard\.ts$/,
];

/** Whether a thing stands within an unnamed type, whose meaning is told where the type is used. */
const unnamed = (reflection) =>
  reflection.parent !== undefined &&
  (reflection.parent.kindOf(ReflectionKind.TypeLiteral) || unnamed(reflection.parent));

function isDocumented(reflection) {
  if (reflection.hasComment()) return true;
  const signatures = [
    ...(reflection.signatures ?? []),
    ...(reflection.type?.type === 'reflection' ? (reflection.type.declaration.signatures ?? []) : []),
    reflection.getSignature,
  ];
  return signatures.some((signature) => signature?.hasComment());
}

/** Names and places of what is public and has no docstring, and how much has one. */
function judge(project) {
  const missing = [];
  let documented = 0;
  for (const reflection of project.getReflectionsByKind(required)) {
    const [source] = reflection.sources ?? [];
    if (source === undefined || source.fullFileName.includes('node_modules')) continue;
    const file = relative(root, source.fullFileName).replaceAll('\\', '/');
    const member = reflection.kindOf(ReflectionKind.Property);
    if (isDocumented(reflection)) documented += 1;
    // A constructor without parameters of its own has nothing to say that its class does not.
    else if (reflection.kindOf(ReflectionKind.Constructor) && !reflection.signatures?.some((s) => s.parameters?.length))
      continue;
    else if (unnamed(reflection) || (member && specified.some((place) => place.test(file)))) continue;
    else missing.push(`${file}:${source.line}: ${reflection.getFullName()} has no docstring`);
  }
  return { documented, missing: [...new Set(missing)].sort() };
}

await main(async () => {
  await ensureInstalled();
  const app = await Application.bootstrap({ options: join(root, 'typedoc.json') }, [
    new TypeDocReader(),
    new TSConfigReader(),
  ]);
  const project = await app.convert();
  if (project === undefined) throw new StepFailed('TypeDoc could not read the packages');
  app.validate(project);
  const { documented, missing } = judge(project);
  for (const line of missing) console.log(line);
  if (!process.argv.includes('--check')) {
    rmSync(join(root, 'docs', 'api'), { recursive: true, force: true });
    await app.generateOutputs(project);
  }
  const failed = missing.length + app.logger.warningCount + app.logger.errorCount;
  console.log(`${documented} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
});
