export { proofResponse as GET } from '@/lib/api/web'
