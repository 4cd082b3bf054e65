import type { DescMethod, DescService } from '@bufbuild/protobuf';

/** Numbers of the fields by which a file's descriptor says what a comment belongs to. */
const [SERVICE_FIELD, METHOD_FIELD] = [6, 2];

/** The comment above a service or a call in its proto file, in one line. */
export function reflectedComment(described: DescService | DescMethod): string {
  const service = described.kind === 'rpc' ? described.parent : described;
  const { sourceCodeInfo, service: services } = service.file.proto;
  const path = [SERVICE_FIELD, services.indexOf(service.proto)];
  if (described.kind === 'rpc') path.push(METHOD_FIELD, service.methods.indexOf(described));
  const place = sourceCodeInfo?.location.find((location) => location.path.join() === path.join());
  return (place?.leadingComments ?? '').replaceAll(/\s+/g, ' ').trim();
}
