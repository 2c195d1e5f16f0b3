export { authResponse as GET, authResponse as POST } from '@/lib/api/auth'
