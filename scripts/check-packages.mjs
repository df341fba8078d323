// npm run check:packages: packs every package as it would be published, and looks at what is in the tarballs: by publint,
// by attw, and as somebody who has installed them, with what that costs the compiler. knip looks for what nothing uses. Ends with N passed, N failed.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ensureBuilt, ensureInstalled } from './ensure.mjs';
import { bundlesForBrowsers, runs, typeChecks } from './installed.mjs';
import { budgets, typeCost } from './type-cost.mjs';
import { binOf, capture, main, must, npmCommand, root, workspacePackages } from './workspace.mjs';

const AT_ONCE = 2;

/** Packs a package; resolves to its tarball. */
async function pack(pkg, destination) {
  const npm = npmCommand();
  const args = [...npm.args, 'pack', '--json', '--ignore-scripts', '--pack-destination', destination];
  const said = await must(`npm pack of ${pkg.name}`, npm.command, args, { ...npm.options, cwd: pkg.dir });
  const [packed] = Object.values(JSON.parse(said.slice(said.search(/^[[{]/m))));
  return join(destination, packed.filename);
}

/** Lays a tarball out as npm would, with links to what it depends on and to nothing else. */
async function install(pkg, tarball, modules) {
  const dir = join(modules, pkg.name);
  mkdirSync(dir, { recursive: true });
  await must('tar', 'tar', ['-xzf', tarball, '--strip-components=1', '-C', dir]);
  for (const name of Object.keys(pkg.manifest.dependencies ?? {})) {
    if (name.startsWith('@dragoman/') || existsSync(join(modules, name))) continue;
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(realpathSync(join(root, 'node_modules', name)), join(modules, name), 'junction');
  }
}

/** A check by a program of its own: what it says where it fails. */
const program = (dependency, command, args) => async () => {
  const { code, output } = await capture(process.execPath, [binOf(dependency, command), ...args]);
  return code === 0 ? undefined : output.trim() || `exit code ${code}`;
};

async function checksOf(home) {
  const modules = join(home, 'node_modules');
  const checks = [['unused files, exports and dependencies (knip)', program('knip', 'knip', ['--no-progress'])]];
  for (const pkg of workspacePackages()) {
    const tarball = await pack(pkg, home);
    await install(pkg, tarball, modules);
    checks.push([`${pkg.name}: publint`, program('publint', 'publint', ['run', tarball, '--strict'])]);
    // Older ways of resolution know no `exports`, and nothing here is CommonJS.
    if (pkg.manifest.exports) {
      const args = [tarball, '--profile', 'esm-only', '--no-emoji', '--no-color'];
      checks.push([`${pkg.name}: attw`, program('@arethetypeswrong/cli', 'attw', args)]);
    }
  }
  checks.push(['types in Node, those of dependencies included', () => typeChecks(home, 'node')]);
  checks.push(['types for a page', () => typeChecks(home, 'page')]);
  for (const name of budgets) {
    checks.push([
      `cost of types: ${name}`,
      async () => {
        const { problem, figures } = await typeCost(home, name);
        if (problem === undefined) console.log(`  ${name}: ${figures}`);
        return problem;
      },
    ]);
  }
  checks.push(['a program that uses them in Node', () => runs(home)]);
  checks.push(['a page that uses them', () => bundlesForBrowsers(home)]);
  return checks;
}

await main(async () => {
  await ensureInstalled();
  await ensureBuilt();
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'dragoman-packages-')));
  let passed = 0;
  let failed = 0;
  try {
    const queue = await checksOf(home);
    const work = async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const [name, check] = next;
        const problem = await check();
        if (problem === undefined) passed += 1;
        else failed += 1;
        console.log(problem === undefined ? `✓ ${name}` : `✗ ${name}\n${problem}\n`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
});
