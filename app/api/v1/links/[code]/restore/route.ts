export { postRestore as POST } from '@/lib/api/links'
