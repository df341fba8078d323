import type { SchemaEngine } from '@dragoman/protocol';

let loading: Promise<SchemaEngine> | undefined;

/** The JSON Schema engine, loaded when it is first needed: most clients never check anything. */
export function loadSchemaEngine(): Promise<SchemaEngine> {
  loading ??= import('@dragoman/protocol/json-schema').then(({ engine }) => engine);
  return loading;
}
