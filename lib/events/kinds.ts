/** What webhooks can be told. EventOutbox has their places in this list, and Webhook a bit for each: add to its end. */
export const EVENT_KINDS = [
  'link.created',
  'link.changed',
  'link.deleted',
  'link.clicked',
  'link.limit_reached',
  'report.received',
  'conversion.created',
  'link.health_changed',
] as const
export type EventKind = (typeof EVENT_KINDS)[number]

/** Only admins are told of these, and of everyone's. */
export const ADMIN_EVENTS: readonly EventKind[] = ['report.received']

/** What a webhook is sent when its owner tries it: nothing that happens, so none of the kinds to choose from. */
export const TEST_EVENT = 'webhook.test'
const TEST_NUMBER = 127
export type SentKind = EventKind | typeof TEST_EVENT

/** A kind as EventOutbox, WebhookEvent and WebhookDelivery have it. */
export const eventNumber = (kind: SentKind) => (kind === TEST_EVENT ? TEST_NUMBER : EVENT_KINDS.indexOf(kind))

/** Which kind that number stands for. */
export const kindOf = (number: number): SentKind | undefined => (number === TEST_NUMBER ? TEST_EVENT : EVENT_KINDS[number])

/** Some kinds as Webhook has them. */
export const eventBits = (kinds: readonly EventKind[]) => kinds.reduce((bits, kind) => bits | (1 << eventNumber(kind)), 0)

/** Which kinds those bits stand for. */
export const kindsIn = (bits: number) => EVENT_KINDS.filter((_, number) => bits & (1 << number))
