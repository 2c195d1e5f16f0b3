/** A path as URLs have it: each part between its slashes percent-encoded. Alone in its file, as every page has it. */
export const encodePath = (path: string) => path.split('/').map(encodeURIComponent).join('/')
