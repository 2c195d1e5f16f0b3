/** WebhookDelivery has their places in this list: add to its end. */
export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** A state as WebhookDelivery has it. */
export const stateNumber = (state: DeliveryState) => DELIVERY_STATES.indexOf(state)

/** Why a delivery failed, where nothing was answered, or what was is no success. */
export const DELIVERY_FAILURES = [
  'banned',
  'certificate',
  'connection',
  'credentials',
  'encoding',
  'name',
  'other',
  'port',
  'private',
  'redirects',
  'scheme',
  'status',
  'timeout',
  'turnedOff',
] as const
export type DeliveryFailure = (typeof DELIVERY_FAILURES)[number]

/** Webhooks of one account. */
export const MOST_WEBHOOKS = 10
/** Characters of the address of one. */
export const MOST_WEBHOOK_URL = 2_048
