import type { JsonObject } from '../messages/base.ts';

/** A JSON Schema: an object, or `true` (everything) or `false` (nothing) (JSON Schema 2020-12 core §4.3). */
export type JsonSchema = JsonObject | boolean;

/** One way in which a value breaks its schema. */
export interface SchemaIssue {
  /** Where, for people: `address.zip`, `targets[0]`, `["odd name"]`; `''` for the value itself. */
  readonly path: string;
  /** Where, as a JSON pointer (RFC 6901): `/address/zip`; `''` for the value itself. */
  readonly pointer: string;
  /** The keyword that was broken, such as `required`; `limit` where a {@link SchemaLimits} ended the check. */
  readonly keyword: string;
  /** What is wrong, with the offending value shortened; without the path. */
  readonly message: string;
  /** The offending value; undefined where something is missing. */
  readonly value?: unknown;
}

/** Checks a value. `undefined` means valid; an invalid value has at least one issue. Never throws for JSON values. */
export type SchemaCheck = (value: unknown) => readonly SchemaIssue[] | undefined;

/** Compiles schemas. What stands behind it can be replaced, for instance by an engine for a very small bundle. */
export interface SchemaEngine {
  /** For logs and error messages. */
  readonly name: string;
  /**
   * Compiles a schema. The same object gives the same check again, so a schema must not be changed once it is compiled.
   *
   * @throws DragomanError `INVALID_SCHEMA`, and nothing else, for whatever {@link SchemaLimits} or the dialect forbid.
   */
  compile(schema: JsonSchema, options?: CompileOptions): SchemaCheck;
}

/** How one schema is compiled. */
export interface CompileOptions extends SchemaLimits {
  /** Whether `format` is an assertion, as forms want it. Default: what the engine does by itself, which is no. */
  readonly formats?: boolean | undefined;
}

/** What a schema, and a check against it, may cost. A schema from a peer is hostile until it has passed (basic, "JSON Schema Usage"). */
export interface SchemaLimits {
  /** Size: UTF-16 code units of all member names and strings, plus one for every other value. Default 524,288. */
  readonly maxBytes?: number | undefined;
  /** Levels of JSON nesting. Default 128. */
  readonly maxDepth?: number | undefined;
  /** JSON values in the schema, itself included. Default 20,000. */
  readonly maxNodes?: number | undefined;
  /** Members of one `enum`. Default 5,000. */
  readonly maxEnum?: number | undefined;
  /** Length of one regular expression, in UTF-16 code units. Default 1,000. */
  readonly maxPatternLength?: number | undefined;
  /** Subschemas applied one after another to the very same value (`$ref` to `$ref` to `allOf` …). Default 64. */
  readonly maxHops?: number | undefined;
  /** Levels of nesting of a value, where the schema is recursive or compares whole values. Default 256. */
  readonly maxValueDepth?: number | undefined;
  /**
   * Work of one check: references followed, plus 1 for every 1,000 characters that a pattern may have to look at in the
   * worst case. Default 1,000,000, which is well under a second or two.
   */
  readonly maxSteps?: number | undefined;
  /** Issues reported for one value. Default 20. */
  readonly maxIssues?: number | undefined;
  /**
   * The schema is the author's own, not a peer's. Then patterns that can take exponential time are not refused, and
   * annotations are checked as strictly as everything else. Default false.
   */
  readonly trusted?: boolean | undefined;
}

/** {@link SchemaLimits} with every value present. */
export type CompleteLimits = { readonly [K in keyof SchemaLimits]-?: NonNullable<SchemaLimits[K]> };

/** The defaults of {@link SchemaLimits}. */
export const defaultSchemaLimits: CompleteLimits = {
  maxBytes: 524_288,
  maxDepth: 128,
  maxNodes: 20_000,
  maxEnum: 5_000,
  maxPatternLength: 1_000,
  maxHops: 64,
  maxValueDepth: 256,
  maxSteps: 1_000_000,
  maxIssues: 20,
  trusted: false,
};

/** Fills in the defaults. */
export function completeLimits(limits?: SchemaLimits): CompleteLimits {
  if (limits === undefined) return defaultSchemaLimits;
  const own: { [name: string]: unknown } = {};
  for (const [name, value] of Object.entries(limits)) if (value !== undefined) own[name] = value;
  return { ...defaultSchemaLimits, ...own };
}
