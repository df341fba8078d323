// npm run build: installs and builds what is not current.
import { ensureBuilt, ensureInstalled } from './ensure.mjs';
import { main } from './workspace.mjs';

await main(async () => {
  await ensureInstalled();
  await ensureBuilt();
});
