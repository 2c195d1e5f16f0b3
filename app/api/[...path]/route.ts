import { answerUnnamed as answer } from '@/lib/api/router'

/** The API where server.ts does not own the socket: `next dev`, `next start`, serverless hosts. HEAD comes by GET. */
export { answer as DELETE, answer as GET, answer as OPTIONS, answer as PATCH, answer as POST, answer as PUT }
