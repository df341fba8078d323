import type {
  ClientCapabilities,
  CreateMessageRequestParams,
  ElicitRequestParams,
  InputRequest,
} from '@dragoman/protocol';

const form: ClientCapabilities = { elicitation: { form: {} } };
const url: ClientCapabilities = { elicitation: { url: {} } };
const roots: ClientCapabilities = { roots: {} };

/** What a client has to declare to be asked something (client/elicitation, client/sampling, client/roots, "Capabilities"). */
export function capabilitiesFor(request: InputRequest): ClientCapabilities {
  switch (request.method) {
    case 'elicitation/create':
      return (request.params as ElicitRequestParams).mode === 'url' ? url : form;
    case 'sampling/createMessage':
      return samplingFor(request.params as CreateMessageRequestParams);
    case 'roots/list':
      return roots;
  }
}

function samplingFor(params: CreateMessageRequestParams): ClientCapabilities {
  const sampling: NonNullable<ClientCapabilities['sampling']> = {};
  if (params.tools !== undefined || params.toolChoice !== undefined) sampling.tools = {};
  if (params.includeContext !== undefined && params.includeContext !== 'none') sampling.context = {};
  return { sampling };
}
