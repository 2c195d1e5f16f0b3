/** Over how many days an overview can be, apart from its schema: the browser needs this, and no zod with it. */
export const OVERVIEW_DAYS = [7, 30, 90] as const
