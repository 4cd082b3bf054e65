import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestParamsSchema,
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type CallToolResult,
  type Tool as ListedTool,
  type ToolAnnotations,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { SaringError, type SaringClient } from '#client/index.ts';
import { closest } from '#fields/rules/suggestion.ts';
import { argumentsOf } from './arguments.ts';
import type { Market } from './market.ts';

/** What tools work with. */
type Context = Pick<ToolCall, 'saring' | 'market'>;

/** What a tool works with during one call. */
export interface ToolCall {
  saring: SaringClient;
  market: Market;
  /** Aborted when whoever asked no longer wants the answer. */
  signal: AbortSignal;
  /** Tells whoever asked what is happening. Does nothing if they did not ask to be told. */
  progress: (message: string) => Promise<void>;
}

interface Tool<Input extends z.ZodRawShape, Output extends z.ZodRawShape> {
  name: string;
  title: string;
  /** What it answers, for a model that chooses between tools. */
  description: string;
  input: Input;
  /** Without `caveats`, which every answer has. */
  output: Output;
  annotations: ToolAnnotations;
  /** Finds the members of `output`. It may find more, which are left out. */
  answer: (input: z.output<z.ZodObject<Input>>, call: ToolCall) => Promise<z.input<z.ZodObject<Output>>>;
}

/** A tool, whatever it takes and answers. */
interface AnyTool {
  listed: ListedTool;
  /** @throws SaringError for what this tool or the API refuses */
  answer: (sent: Record<string, unknown>, call: ToolCall) => Promise<Record<string, unknown>>;
}

/** Reads only, and the same again later unless a day was added. */
export const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
/** Creates something that stays. */
export const WRITES: ToolAnnotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };

const CAVEATS = z.array(z.string()).describe('What to say beside the numbers. Never leave it out.');

/**
 * Declares a tool once: what it takes, what it answers, and how. Both schemas are closed. An answer has the members that its schema
 * names and no others, so that a member that the API adds one day breaks no client that checks. It carries what its numbers need to
 * be read rightly.
 */
export function defineTool<Input extends z.ZodRawShape, Output extends z.ZodRawShape>(
  tool: Tool<Input, Output>,
): AnyTool {
  const { name, title, description, input, output, annotations, answer } = tool;
  const takes = z.strictObject(input);
  const answers: z.ZodObject = z.object({ ...output, caveats: CAVEATS });
  const inputSchema = published(takes, 'input');
  const outputSchema = published(answers, 'output');
  return {
    listed: { name, title, description, inputSchema, outputSchema, annotations },
    answer: async (sent, call) => {
      const found = await answer(argumentsOf(name, takes, sent), call);
      return answers.parse({ ...found, caveats: await call.market.caveats(call.saring, call.signal) });
    },
  };
}

/** Most clients check by this draft, whatever a schema declares. */
function published(schema: z.ZodType, io: 'input' | 'output'): ListedTool['inputSchema'] {
  return z.toJSONSchema(schema, { target: 'draft-07', io }) as ListedTool['inputSchema'];
}

/** Values by names that the API may add to. One of another type is left out. */
export function valuesByName<Value extends z.ZodType>(value: Value) {
  const fitting = (all: object) =>
    Object.fromEntries(Object.entries(all).filter(([, one]) => value.safeParse(one).success));
  return z.preprocess(fitting, z.record(z.string(), value));
}

/** A client that has no arguments may send null. */
const someArguments = z.preprocess((sent) => sent ?? {}, z.record(z.string(), z.unknown()));
const CallRequestSchema = CallToolRequestSchema.extend({
  params: CallToolRequestParamsSchema.extend({ arguments: someArguments }),
});

/**
 * Lists and calls tools. What a tool or the API refuses is the result of the call and no error of the protocol, because clients show
 * results to the model, which can then call again rightly.
 */
export function serveTools(server: Server, tools: readonly AnyTool[], context: Context): void {
  const byName = new Map(tools.map((tool) => [tool.listed.name, tool]));
  server.registerCapabilities({ tools: {} });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(({ listed }) => listed) }));
  server.setRequestHandler(CallRequestSchema, async ({ params }, { signal, _meta, sendNotification }) => {
    const { name, arguments: sent } = params;
    const progressToken = _meta?.progressToken;
    let reported = 0;
    const progress = async (message: string) => {
      if (progressToken === undefined) return;
      const told = { progressToken, progress: ++reported, message };
      await sendNotification({ method: 'notifications/progress', params: told });
    };
    try {
      const tool = byName.get(name) ?? unknownTool(name, byName.keys());
      return structured(await tool.answer(sent, { ...context, signal, progress }));
    } catch (failure) {
      if (failure instanceof SaringError) return refused(failure);
      throw failure;
    }
  });
}

function unknownTool(name: string, names: Iterable<string>): never {
  const meant = closest(name, names);
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  throw new SaringError('not_found', `There is no tool ${name}.${hint}`);
}

function structured(content: Record<string, unknown>): CallToolResult {
  return { structuredContent: content, content: [{ type: 'text', text: JSON.stringify(content) }] };
}

/** The code, the mistakes with their places, and where to read more: enough to call again rightly. */
function refused({ code, message, detail, retryAfterSeconds }: SaringError): CallToolResult {
  const mistakes = detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`);
  const wait = retryAfterSeconds === undefined ? [] : [`Try again in ${retryAfterSeconds} s.`];
  const lines = [`${code}: ${message}`, ...mistakes, ...wait];
  return { isError: true, content: [{ type: 'text', text: lines.join('\n') }] };
}
