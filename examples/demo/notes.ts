import type { ResourceHandle, Server } from '@dragoman/server';

/** A list of resources that changes, and a tool that destroys. */
export function addNotes(server: Server): void {
  const notes = new Map<string, { text: string; readonly resource: ResourceHandle }>();
  const uriOf = (title: string) => `note://${encodeURIComponent(title)}`;

  server.tool(
    'add_note',
    {
      title: 'Add a note',
      description: 'Keeps a note as a resource; adding it again changes it',
      input: {
        type: 'object',
        properties: {
          title: { type: 'string', minLength: 1, maxLength: 80 },
          text: { type: 'string' },
          tags: { type: 'array', items: { type: 'string' } },
        },
        required: ['title', 'text'],
        additionalProperties: false,
      },
      annotations: { destructiveHint: false, idempotentHint: true },
    },
    (args) => {
      const title = String(args.title);
      const tags =
        Array.isArray(args.tags) && args.tags.length > 0 ? `\n\n${args.tags.map((tag) => `#${tag}`).join(' ')}` : '';
      const text = `# ${title}\n\n${args.text}${tags}\n`;
      const known = notes.get(title);
      if (known !== undefined) {
        known.text = text;
        server.changed.resource(uriOf(title));
        return `Changed ${uriOf(title)}`;
      }
      const resource = server.resource(
        uriOf(title),
        { name: title, mimeType: 'text/markdown', description: 'A note' },
        () => notes.get(title)?.text,
      );
      notes.set(title, { text, resource });
      return `Kept as ${uriOf(title)}`;
    },
  );

  server.tool(
    'delete_note',
    {
      title: 'Delete a note',
      description: 'Deletes a note for good',
      input: {
        type: 'object',
        properties: { title: { type: 'string' } },
        required: ['title'],
        additionalProperties: false,
      },
      annotations: { destructiveHint: true, idempotentHint: true },
    },
    ({ title }) => {
      const known = notes.get(String(title));
      if (known === undefined) return { text: `There is no note called ${JSON.stringify(title)}`, isError: true };
      known.resource.remove();
      notes.delete(String(title));
      return `Deleted ${uriOf(String(title))}`;
    },
  );
}
