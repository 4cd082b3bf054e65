import type { Command } from 'commander';
import { EXIT } from '#platform/process/exit-codes.ts';
import { CommandFailure } from '../terminal/command-failure.ts';
import { TEST_SECRET } from '#foundation/test-market.ts';
import { packageVersion } from '#platform/process/package-version.ts';

const MCP_HELP = `
Answers on standard input and output, as an agent's program starts it. It sees and does what the key may, for one end user:
  SARING_KEY        the API key; needed
  SARING_URL        the gateway; http://127.0.0.1:8080 if not set
  SARING_END_USER   whose screens and runs they are; "agent" if not set

A gateway offers the same tools over HTTP at /mcp.`;

/** `saring mcp` */
export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description('tools for an agent, by the Model Context Protocol')
    .addHelpText('after', MCP_HELP)
    .action(serve);
}

async function serve(): Promise<void> {
  const { SARING_KEY: apiKey, SARING_URL: baseUrl = 'http://127.0.0.1:8080', SARING_END_USER } = process.env;
  if (!apiKey) throw new CommandFailure(EXIT.usage, 'set SARING_KEY to an API key.');
  // Only this command loads the protocol, so that all other commands start faster.
  const [{ SaringClient }, { DEFAULT_END_USER, mcpServer }, { Market }, { StdioServerTransport }] =
    await Promise.all([
      import('#client/index.ts'),
      import('#mcp/server.ts'),
      import('#mcp/tools/market.ts'),
      import('@modelcontextprotocol/sdk/server/stdio.js'),
    ]);
  const endUser = SARING_END_USER ?? DEFAULT_END_USER;
  const saring = new SaringClient({ baseUrl, apiKey, endUser, language: 'en' });
  const market = new Market({ isTest: apiKey.startsWith(TEST_SECRET) });
  await mcpServer({ saring, baseUrl, version: packageVersion(), market }).connect(new StdioServerTransport());
}
