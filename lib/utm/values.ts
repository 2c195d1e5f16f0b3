/** The UTM parameters without their `utm_`, in the order of the form. */
export const UTM_NAMES = ['source', 'medium', 'campaign', 'term', 'content'] as const
export type UtmName = (typeof UTM_NAMES)[number]
/** Their values; '' for a missing one. */
export type Utm = Record<UtmName, string>

/** The longest value that clicks are counted by. */
export const MOST_UTM = 100
/** Templates that an account can have. */
export const MOST_TEMPLATES = 100
export const MOST_TEMPLATE_NAME = 50
