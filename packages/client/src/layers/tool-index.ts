import { compileHeaderIndex, type HeaderIndex, type JsonObject, type Tool } from '@dragoman/protocol';

/** What is known of one tool. */
export interface KnownTool {
  /** The arguments that are mirrored in headers, or why the tool's annotations cannot be used. */
  readonly headers: { readonly index: HeaderIndex } | { readonly problem: string };
  /** What its structured output is held against, where the tool has such a schema. */
  readonly outputSchema: JsonObject | undefined;
}

/** The most tools that are remembered; those that were listed longest ago go first. */
const MAX_TOOLS = 100_000;

/**
 * The tools that a client has seen in lists, by name: what the HTTP wire mirrors in `Mcp-Param-*`, and what structured
 * output is held against. Shared by a client and its wire; never a reason to list anything by itself.
 */
export class ToolIndex {
  readonly #tools = new Map<string, KnownTool>();

  /** Remembers a tool as it was listed, over what was known of it before. */
  remember(tool: Tool): KnownTool {
    const outputSchema = tool.outputSchema ?? undefined;
    const known: KnownTool = { headers: compileHeaderIndex(tool.inputSchema), outputSchema };
    // A Map iterates in the order of insertion, which is made the order of listing.
    this.#tools.delete(tool.name);
    this.#tools.set(tool.name, known);
    for (const oldest of this.#tools.keys()) {
      if (this.#tools.size <= MAX_TOOLS) break;
      this.#tools.delete(oldest);
    }
    return known;
  }

  /** What is known of a tool; undefined where it was never listed. */
  get(name: string): KnownTool | undefined {
    return this.#tools.get(name);
  }

  /** The arguments of a tool that go into headers; undefined where nothing is known (basic/transports/streamable-http, "Client Behavior"). */
  headers(name: unknown): HeaderIndex | undefined {
    const headers = this.#tools.get(name as string)?.headers;
    return headers !== undefined && 'index' in headers ? headers.index : undefined;
  }

  /** Forgets a tool that is not listed any more. */
  forget(name: string): void {
    this.#tools.delete(name);
  }
}
