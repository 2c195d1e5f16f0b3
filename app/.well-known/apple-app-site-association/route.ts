export { appFileResponse as GET } from '@/lib/api/web'
