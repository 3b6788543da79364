import * as z from 'zod';

import { canonicalJson } from '../core/base/canonicalJson.ts';
import { errorKinds } from '../core/base/errors.ts';
import { fieldSizes } from '../core/base/field.ts';
import { sha256 } from '../core/base/sha256.ts';
import { type EventName, events, type MethodName, methods } from './contract.ts';
import { eventOf, inputOf, outputOf } from './contract/strict.ts';
import { bytesKey, float64Key } from './jsonFrame.ts';
import { replySchema, requestSchema } from './messages.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;
/** The whole contract as data: what `tilebench contract --json` prints beside the versions. */
export interface ContractDescription {
  /** `changes`: a command; without it a method only reads. */
  methods: Record<string, { changes: boolean; input: JsonSchema; output: JsonSchema }>;
  events: Record<string, JsonSchema>;
  /** What a client sends, and what an engine sends. */
  messages: { request: JsonSchema; reply: JsonSchema };
  errorKinds: readonly string[];
}

/**
 * Every method, event and message as JSON Schema (draft 2020-12), of the contract's JSON form.
 * Inputs as a caller writes them.
 */
export function describeContract(): ContractDescription {
  return {
    methods: Object.fromEntries(
      (Object.keys(methods) as MethodName[]).map((name) => [
        name,
        {
          changes: methods[name].changes,
          input: schemaOf(inputOf(name), 'input'),
          output: schemaOf(outputOf(name), 'output'),
        },
      ]),
    ),
    events: Object.fromEntries(
      (Object.keys(events) as EventName[]).map((name) => [name, schemaOf(eventOf(name), 'output')]),
    ),
    messages: {
      request: schemaOf(requestSchema, 'input'),
      reply: schemaOf(replySchema, 'output'),
    },
    errorKinds,
  };
}

/** What `contractVersion` must be for this description. */
export const versionOf = (description: ContractDescription): string =>
  sha256(canonicalJson(description)).slice(0, 16);

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    // Rules in code (names that do not print, dates that must rise) are told by the refusal; typed
    // arrays are written below.
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const holds = fieldSizes.get(zodSchema)?.holds;
      if (holds !== undefined) Object.assign(jsonSchema, typedArrays[holds]);
    },
  });
  return rest;
}

const only = (key: string, value: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { [key]: value },
  required: [key],
  additionalProperties: false,
});
const typedArrays = {
  bytes: only(bytesKey, { type: 'string', contentEncoding: 'base64' }),
  float64: only(float64Key, { type: 'array', items: { type: ['number', 'null'] } }),
} as const;
