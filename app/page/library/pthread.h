#pragma once
// The locks of RE2, in a page, which has one thread.
typedef int pthread_rwlock_t;
inline int pthread_rwlock_init(pthread_rwlock_t*, const void*) { return 0; }
inline int pthread_rwlock_destroy(pthread_rwlock_t*) { return 0; }
inline int pthread_rwlock_wrlock(pthread_rwlock_t*) { return 0; }
inline int pthread_rwlock_rdlock(pthread_rwlock_t*) { return 0; }
inline int pthread_rwlock_unlock(pthread_rwlock_t*) { return 0; }
