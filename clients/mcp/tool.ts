import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { SaringError, type SaringClient } from '#client/index.ts';
import type { Market } from './market.ts';

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
  answer: (input: z.infer<z.ZodObject<Input>>, call: ToolCall) => Promise<z.infer<z.ZodObject<Output>>>;
}

/** A tool, whatever it takes and answers. */
export type AnyTool = (server: McpServer, context: Pick<ToolCall, 'saring' | 'market'>) => void;

/** Reads only, and the same again later unless a day was added. */
export const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
/** Creates something that stays. */
export const WRITES: ToolAnnotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };

/**
 * Declares a tool once: what it takes, what it answers, and how. Its answer carries what its numbers need to be read rightly. What
 * the API refuses becomes an error that a model can act on.
 */
export function defineTool<Input extends z.ZodRawShape, Output extends z.ZodRawShape>(
  tool: Tool<Input, Output>,
): AnyTool {
  const { name, title, description, input, output, annotations, answer } = tool;
  return (server, context) => {
    const inputSchema: z.ZodObject = z.object(input);
    const outputSchema: z.ZodObject = z.object({ ...output, caveats: CAVEATS });
    server.registerTool(
      name,
      { title, description, inputSchema, outputSchema, annotations },
      async (given, { signal, _meta, sendNotification }) => {
        const progressToken = _meta?.progressToken;
        let reported = 0;
        const progress = async (message: string) => {
          if (progressToken === undefined) return;
          const params = { progressToken, progress: ++reported, message };
          await sendNotification({ method: 'notifications/progress', params });
        };
        try {
          const found = await answer(given as z.infer<z.ZodObject<Input>>, { ...context, signal, progress });
          return structured({ ...found, caveats: await context.market.caveats(context.saring, signal) });
        } catch (failure) {
          if (failure instanceof SaringError) return refused(failure);
          throw failure;
        }
      },
    );
  };
}

const CAVEATS = z.array(z.string()).describe('What to say beside the numbers. Never leave it out.');

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
