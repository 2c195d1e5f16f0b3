export { getLinks as GET, postLink as POST } from '@/lib/api/links'
