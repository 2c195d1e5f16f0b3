export { getLink as GET, patchLink as PATCH, removeLink as DELETE } from '@/lib/api/links'
