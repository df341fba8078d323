import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from '@dragoman/server';
import { picture } from './picture.ts';
import { folders } from './world.ts';

/** Progress and logs, resource links, a picture, and a tool that fails. */
export function addShowcase(server: Server): void {
  server.tool(
    'search_files',
    {
      title: 'Search files',
      description: 'Searches the archive folder by folder, with progress',
      input: {
        type: 'object',
        properties: {
          query: { type: 'string', minLength: 1, description: 'What to look for' },
          delay: {
            type: 'integer',
            minimum: 0,
            maximum: 5000,
            default: 100,
            description: 'Milliseconds a folder takes',
          },
        },
        required: ['query'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async ({ query, delay }, ctx) => {
      const wanted = String(query).toLowerCase();
      const found = [];
      for (const [at, folder] of folders.entries()) {
        ctx.progress(at, folders.length, `searching ${folder.name}`);
        ctx.log('info', { folder: folder.name, files: folder.files.length }, 'search');
        await sleep(typeof delay === 'number' ? delay : 100, undefined, { signal: ctx.signal });
        found.push(...folder.files.filter((file) => `${file.path}\n${file.text}`.toLowerCase().includes(wanted)));
      }
      ctx.progress(folders.length, folders.length, 'done');
      return [
        { type: 'text', text: `${found.length} ${found.length === 1 ? 'file' : 'files'} for ${JSON.stringify(query)}` },
        ...found.map((file) => ({
          type: 'resource_link' as const,
          uri: `archive://${file.path}`,
          name: file.path,
          mimeType: file.path.endsWith('.csv') ? 'text/csv' : 'text/markdown',
          size: Buffer.byteLength(file.text),
        })),
      ];
    },
  );

  for (const folder of folders) {
    for (const file of folder.files) {
      server.resource(
        `archive://${file.path}`,
        {
          name: file.path,
          mimeType: file.path.endsWith('.csv') ? 'text/csv' : 'text/markdown',
          size: Buffer.byteLength(file.text),
          cache: { ttlMs: 3_600_000, scope: 'public' },
        },
        () => file.text,
      );
    }
  }

  server.tool(
    'draw_picture',
    {
      title: 'Draw a picture',
      description: 'A picture, as PNG',
      input: {
        type: 'object',
        properties: { side: { type: 'integer', minimum: 8, maximum: 512, default: 64, description: 'Pixels' } },
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ side }) => ({
      type: 'image',
      mimeType: 'image/png',
      data: picture(typeof side === 'number' ? side : 64),
    }),
  );

  server.tool(
    'fail',
    {
      title: 'Fail',
      description: 'A tool that always says that it failed',
      input: { type: 'object', properties: { reason: { type: 'string' } }, additionalProperties: false },
      annotations: { readOnlyHint: true },
    },
    ({ reason }) => ({ text: `It failed: ${reason ?? 'as it always does'}`, isError: true }),
  );
}
