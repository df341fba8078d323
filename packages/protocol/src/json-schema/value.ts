/**
 * What a JSON Schema lets through, as far as its text tells the compiler: `type`, `enum`, `const`, `properties` with
 * `required`, `items`, `anyOf` and `oneOf`. What it does not tell is `unknown`, never `any`; keywords that are not read here
 * only narrow further. The schema has to be a literal (`as const`, or written where it is used); typebox's types are.
 */
export type JsonSchemaValue<S> = S extends { readonly const: infer Only }
  ? Only
  : S extends { readonly enum: readonly (infer One)[] }
    ? One
    : S extends { readonly anyOf: readonly (infer Branch)[] } | { readonly oneOf: readonly (infer Branch)[] }
      ? JsonSchemaValue<Branch>
      : S extends { readonly type: infer Name }
        ? OfType<Name, S>
        : unknown;

type OfType<Name, S> = Name extends 'string'
  ? string
  : Name extends 'number' | 'integer'
    ? number
    : Name extends 'boolean'
      ? boolean
      : Name extends 'null'
        ? null
        : Name extends 'array'
          ? Items<S>
          : Name extends 'object'
            ? Members<S>
            : Name extends readonly (infer Each)[]
              ? OfType<Each, S>
              : unknown;

type Items<S> = S extends { readonly prefixItems: unknown } | { readonly items: readonly unknown[] }
  ? unknown[]
  : S extends { readonly items: infer Each }
    ? JsonSchemaValue<Each>[]
    : unknown[];

type Members<S> = S extends { readonly properties: infer Properties }
  ? Named<Properties, RequiredOf<S>> & Others<S>
  : S extends { readonly additionalProperties: infer Each extends object }
    ? { [name: string]: JsonSchemaValue<Each> }
    : { [name: string]: unknown };

/** Names that a schema requires; none where they are only known to be strings. */
type RequiredOf<S> = S extends { readonly required: readonly (infer Name)[] }
  ? string extends Name
    ? never
    : Name
  : never;

type Named<Properties, Sure> = {
  -readonly [Name in keyof Properties as Name extends Sure ? Name : never]: JsonSchemaValue<Properties[Name]>;
} & {
  -readonly [Name in keyof Properties as Name extends Sure ? never : Name]?: JsonSchemaValue<Properties[Name]>;
};

/** Members that a schema does not name. */
type Others<S> = S extends { readonly additionalProperties: false }
  ? S extends { readonly patternProperties: unknown }
    ? { [name: string]: unknown }
    : unknown
  : { [name: string]: unknown };
