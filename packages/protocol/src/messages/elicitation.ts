import type { Request } from '../exchange.ts';

/** A text field (client/elicitation, "Requested Schema"). */
export interface StringSchema {
  type: 'string';
  title?: string | undefined;
  description?: string | undefined;
  /** In characters. */
  minLength?: number | undefined;
  /** In characters. */
  maxLength?: number | undefined;
  format?: 'email' | 'uri' | 'date' | 'date-time' | undefined;
  default?: string | undefined;
}

/** A number field. */
export interface NumberSchema {
  type: 'number' | 'integer';
  title?: string | undefined;
  description?: string | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  default?: number | undefined;
}

/** A yes-or-no field. */
export interface BooleanSchema {
  type: 'boolean';
  title?: string | undefined;
  description?: string | undefined;
  default?: boolean | undefined;
}

/** A value to choose, and what to show for it. */
export interface EnumOption {
  const: string;
  title: string;
}

/** Choose one; the values are shown as they are. */
export interface UntitledSingleSelectEnumSchema {
  type: 'string';
  title?: string | undefined;
  description?: string | undefined;
  enum: string[];
  default?: string | undefined;
}

/** Choose one; each value has a title. */
export interface TitledSingleSelectEnumSchema {
  type: 'string';
  title?: string | undefined;
  description?: string | undefined;
  oneOf: EnumOption[];
  default?: string | undefined;
}

/** Choose one. */
export type SingleSelectEnumSchema = UntitledSingleSelectEnumSchema | TitledSingleSelectEnumSchema;

/** Choose several; the values are shown as they are. */
export interface UntitledMultiSelectEnumSchema {
  type: 'array';
  title?: string | undefined;
  description?: string | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
  items: { type: 'string'; enum: string[] };
  default?: string[] | undefined;
}

/** Choose several; each value has a title. */
export interface TitledMultiSelectEnumSchema {
  type: 'array';
  title?: string | undefined;
  description?: string | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
  items: { anyOf: EnumOption[] };
  default?: string[] | undefined;
}

/** Choose several. */
export type MultiSelectEnumSchema = UntitledMultiSelectEnumSchema | TitledMultiSelectEnumSchema;

/** Choose one; titles in a list beside the values. @deprecated in favour of {@link TitledSingleSelectEnumSchema}; still read. */
export interface LegacyTitledEnumSchema {
  type: 'string';
  title?: string | undefined;
  description?: string | undefined;
  enum: string[];
  /** What to show for each value, in the same order. Not a JSON Schema keyword. */
  enumNames?: string[] | undefined;
  default?: string | undefined;
}

/** A field with a choice. */
export type EnumSchema = SingleSelectEnumSchema | MultiSelectEnumSchema | LegacyTitledEnumSchema;

/** A field of a form: no nesting. */
export type PrimitiveSchemaDefinition = StringSchema | NumberSchema | BooleanSchema | EnumSchema;

/** A form: the fields by name, on one level (a restricted JSON Schema). */
export interface ElicitRequestedSchema {
  $schema?: string | undefined;
  type: 'object';
  properties: { [field: string]: PrimitiveSchemaDefinition };
  required?: string[] | undefined;
}

/** Asks the user to fill in a form. Never for secrets (client/elicitation, "Form Mode"). */
export interface ElicitRequestFormParams {
  /** Absent reads as `form`. */
  mode?: 'form' | undefined;
  /** Says to the user what is asked and why. */
  message: string;
  requestedSchema: ElicitRequestedSchema;
}

/** Asks the user to visit a page; what is entered there does not pass through the client (client/elicitation, "URL Mode"). */
export interface ElicitRequestURLParams {
  mode: 'url';
  /** Says to the user why. */
  message: string;
  url: string;
  /** Names the interaction; exists in 2025-11-25 only. */
  elicitationId?: string | undefined;
}

/** A form to fill in, or a page to visit. */
export type ElicitRequestParams = ElicitRequestFormParams | ElicitRequestURLParams;

/** Asks the user something (client/elicitation). */
export type ElicitRequest = Request<'elicitation/create', ElicitRequestParams>;

/** What a field of a form can hold. Numbers need not be integers. */
export type ElicitValue = string | number | boolean | string[];

/** What the user did. */
export interface ElicitResult {
  /** `accept`: filled in, or agreed to go there. `decline`: said no. `cancel`: closed it without a word. */
  action: 'accept' | 'decline' | 'cancel';
  /** The form's fields. Only with `accept` in form mode. */
  content?: { [field: string]: ElicitValue } | undefined;
}
