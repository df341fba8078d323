import { Build, Check, Errors } from 'typebox/schema';
import { Settings } from 'typebox/system';
import { DragomanError } from '../errors.ts';
import { knownFormats } from './formats.ts';
import { readSchema, type SchemaDocuments } from './guard.ts';
import { type EngineError, limitIssue, toIssues } from './issues.ts';
import { isMeasured } from './measure.ts';
import { Meter, outOfSteps } from './meter.ts';
import {
  type CompleteLimits,
  completeLimits,
  type JsonSchema,
  type SchemaCheck,
  type SchemaEngine,
  type SchemaIssue,
  type SchemaLimits,
} from './port.ts';
import { type PreparedSchema, prepareSchema } from './prepare.ts';

/** How an engine is to work. */
export interface EngineOptions {
  /**
   * Which schemas may be turned into JavaScript, where the runtime allows that: `trusted` ones (an author's own), `none`,
   * or `all`. Generated checks are many times as fast and cost about a millisecond to make, so one is made only for a
   * schema that has been checked against {@link EngineOptions.warmup} times. What a peer wrote is never turned into code
   * by default. Without `eval` (a content security policy, Workers) schemas are interpreted whatever this says.
   */
  readonly codegen?: 'trusted' | 'none' | 'all' | undefined;
  /** Checks against a schema before code is generated for it. Default 16. */
  readonly warmup?: number | undefined;
  /** Whether `format` is an assertion. Default false: it is an annotation (validation §7.2.1). Unknown formats never are. */
  readonly formats?: boolean | undefined;
  /**
   * Documents that references may lead to besides the schema itself, by their URI without fragment. Default none. Only
   * what is in here is ever looked at: nothing is fetched (basic, "Reference Resolution").
   */
  readonly documents?: SchemaDocuments | undefined;
}

/** The engine's own limit on errors looked at; issues are limited later, when those that say the same have been folded. */
const MAX_ERRORS = 200;

/** Makes an engine over typebox with a guard of ours round it: {@link SchemaLimits} hold for every schema and every check. */
export function createEngine(options: EngineOptions = {}): SchemaEngine {
  Settings.Set({ maxErrors: MAX_ERRORS });
  const known = new WeakMap<object, Map<string, SchemaCheck>>();
  return {
    name: 'typebox',
    compile(schema, own) {
      const complete = completeLimits(own);
      const formats = own?.formats ?? options.formats ?? false;
      if (typeof schema !== 'object' || schema === null) return compileSchema(schema, complete, options, formats);
      let checks = known.get(schema);
      if (checks === undefined) {
        checks = new Map();
        known.set(schema, checks);
      }
      const key = `${formats},${Object.values(complete).join()}`;
      let check = checks.get(key);
      if (check === undefined) {
        check = compileSchema(schema, complete, options, formats);
        checks.set(key, check);
      }
      return check;
    },
  };
}

function compileSchema(
  schema: JsonSchema,
  limits: CompleteLimits,
  options: EngineOptions,
  formats: boolean,
): SchemaCheck {
  const graph = readSchema(schema, limits, options.documents);
  if (graph instanceof DragomanError) throw graph;
  if (graph === true) return acceptAll;
  if (graph === false) return refuseAll;
  const meter = new Meter(limits.maxSteps);
  const prepared = prepareSchema(graph, limits, meter, formats ? knownFormats : undefined);
  if (prepared instanceof DragomanError) throw prepared;
  const compiled = new CompiledSchema(prepared, limits, meter, warmupOf(limits, options));
  return (value) => compiled.check(value);
}

const acceptAll: SchemaCheck = () => undefined;
const refuseAll: SchemaCheck = (value) => toIssues([], value, 1);

function warmupOf(limits: CompleteLimits, { codegen = 'trusted', warmup = 16 }: EngineOptions): number {
  return codegen === 'all' || (codegen === 'trusted' && limits.trusted) ? warmup : Number.POSITIVE_INFINITY;
}

class CompiledSchema {
  readonly #prepared: PreparedSchema;
  readonly #limits: CompleteLimits;
  readonly #meter: Meter;
  /** Checks still to be interpreted before code is generated. */
  #warmup: number;
  #generated: ((value: unknown) => boolean) | undefined;

  constructor(prepared: PreparedSchema, limits: CompleteLimits, meter: Meter, warmup: number) {
    this.#prepared = prepared;
    this.#limits = limits;
    this.#meter = meter;
    this.#warmup = warmup;
  }

  check(value: unknown): readonly SchemaIssue[] | undefined {
    const { metered, deep, nameDegree, schema } = this.#prepared;
    if (this.#generated === undefined && this.#warmup-- <= 0) this.#generate();
    if (metered) this.#meter.reset();
    try {
      if ((deep || nameDegree > 1) && !isMeasured(value, this.#limits.maxValueDepth, nameDegree, this.#meter)) {
        return limitIssue(value, `is nested deeper than ${this.#limits.maxValueDepth} levels (maxValueDepth)`);
      }
      const generated = this.#generated;
      if (generated === undefined ? Check(schema, value) : generated(value)) return undefined;
    } catch (error) {
      return this.#ended(error, value);
    }
    return this.#explain(value);
  }

  /** Errors take a second pass, which no valid value pays for. */
  #explain(value: unknown): readonly SchemaIssue[] {
    this.#meter.reset();
    try {
      const [, errors] = Errors(this.#prepared.schema, value);
      return toIssues(errors as readonly EngineError[], value, this.#limits.maxIssues);
    } catch (error) {
      // It is known to be invalid; only the reasons are too many to be found.
      if (error === outOfSteps || error instanceof RangeError) return toIssues([], value, 1);
      throw error;
    }
  }

  #ended(error: unknown, value: unknown): readonly SchemaIssue[] {
    if (error === outOfSteps) {
      return limitIssue(value, `takes more work to check than ${this.#limits.maxSteps} steps (maxSteps)`);
    }
    if (error instanceof RangeError) return limitIssue(value, 'is nested too deeply to be checked');
    throw error;
  }

  #generate(): void {
    this.#warmup = Number.POSITIVE_INFINITY;
    try {
      const result = Build(this.#prepared.schema).Evaluate();
      if (result.IsAccelerated()) this.#generated = (value) => result.Check(value);
    } catch (error) {
      // Very long chains of references nest too deeply to be generated; interpreted they are as deep as the value. And a
      // runtime may forbid code at any time. Other errors are faults.
      if (!(error instanceof RangeError || error instanceof EvalError)) throw error;
    }
  }
}
