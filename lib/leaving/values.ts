/** Sets of redirects that outlive this service: their names, which the browser needs too. */
export const SET_FORMATS = ['nginx', 'apache', 'redirects', 's3-rules', 's3-objects', 'node'] as const
export type SetName = (typeof SET_FORMATS)[number]
