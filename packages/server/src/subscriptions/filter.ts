import type { ServerCapabilities, SubscriptionFilter } from '@dragoman/protocol';

/**
 * The part of a filter that a server with these capabilities honours: what it does not declare is left out, and so are
 * members that ask for nothing (basic/patterns/subscriptions, "Acknowledgment").
 */
export function honoredFilter(filter: SubscriptionFilter, capabilities: ServerCapabilities): SubscriptionFilter {
  const honored: SubscriptionFilter = {};
  if (filter.toolsListChanged === true && capabilities.tools?.listChanged === true) honored.toolsListChanged = true;
  if (filter.promptsListChanged === true && capabilities.prompts?.listChanged === true) {
    honored.promptsListChanged = true;
  }
  if (filter.resourcesListChanged === true && capabilities.resources?.listChanged === true) {
    honored.resourcesListChanged = true;
  }
  if (capabilities.resources?.subscribe === true && Array.isArray(filter.resourceSubscriptions)) {
    const uris = [...new Set(filter.resourceSubscriptions)];
    if (uris.length > 0) honored.resourceSubscriptions = uris;
  }
  return honored;
}
