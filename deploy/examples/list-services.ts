import type { CallContext } from '#shared/grpc/call-context.ts';
import type { ClientOptions } from '#shared/grpc/client.ts';
import { reflectedComment } from '#shared/grpc/reflected-comment.ts';
import { reflectedServices } from '#shared/grpc/reflection-client.ts';

/** Asks a server what it serves, as grpcurl does, and prints each call with its messages and what it is for. */
export async function listServices(connection: ClientOptions, call: CallContext): Promise<void> {
  for (const service of await reflectedServices(connection, call)) {
    console.log(`${service.typeName}\n  ${reflectedComment(service)}`);
    for (const method of service.methods) {
      const { clientStreaming, serverStreaming } = method.proto;
      const request = `${clientStreaming ? 'stream ' : ''}${method.input.name}`;
      const response = `${serverStreaming ? 'stream ' : ''}${method.output.name}`;
      console.log(`\n  ${method.name} (${request}) returns (${response})\n      ${reflectedComment(method)}`);
    }
    console.log();
  }
}
