import { UsageServiceService, type ListEventsRequest } from '#proto/saring/usage/v1/usage.ts';
import type { Handlers } from '#platform/grpc/server.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { answeringByExample } from '#support/message-examples.ts';

/** Answers with the examples of the messages, in two pages of events. Records the requests for a key's events in `listed`. */
export function fakeUsage(listed: ListEventsRequest[]): Handlers<UsageServiceService> {
  const responses = answeringByExample(UsageServiceService);
  const page = ({ cursor }: { cursor?: string | undefined }) => ({
    next_cursor: cursor ? undefined : 'next',
    has_more: !cursor,
  });
  return {
    ...responses,
    listEvents: async (request, call) => {
      listed.push(request);
      return { ...(await responses.listEvents(request, call)), ...page(request) };
    },
    listAllEvents: async (request, call) => ({
      ...(await responses.listAllEvents(request, call)),
      ...page(request),
    }),
    getEvent: () => {
      throw new ServiceError('usage_event_not_found', 'No such event.');
    },
  };
}
