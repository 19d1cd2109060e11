// SPDX-License-Identifier: MIT
// Uses system calls and constants of the kernel's documentation, without its headers: those of a
// build machine may be older than the kernel of the machine that runs the program.
#define _GNU_SOURCE

#include "child_sandbox.h"

#ifdef __linux__

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// ---------------------------------------------------------------------------------------------
// Landlock (Documentation/userspace-api/landlock.rst): which files

enum
{
    // The same numbers on all processors.
    CREATE_RULESET = 444,
    ADD_RULE = 445,
    RESTRICT_SELF = 446,
    GET_VERSION = 1,
    PATH_BENEATH = 1,
};

enum
{
    ACCESS_READ_FILE = 1 << 2,
    ACCESS_READ_FOLDER = 1 << 3,
    ACCESS_READ = ACCESS_READ_FILE | ACCESS_READ_FOLDER,
    // Execute, write, read, remove and make: bits 0 to 12. Later versions add to them.
    ACCESS_ALL = (1 << 13) - 1,
    ACCESS_REFER = 1 << 13,    // version 2
    ACCESS_TRUNCATE = 1 << 14, // version 3
    ACCESS_IOCTL = 1 << 15,    // version 5
    NET_BIND_CONNECT = 3,      // version 4
    SCOPE_SOCKET_SIGNAL = 3,   // version 6
};

typedef struct ruleset
{
    uint64_t files;
    uint64_t network;
    uint64_t scope;
} ruleset;

typedef struct __attribute__((packed)) path_rule
{
    uint64_t access;
    int32_t folder;
} path_rule;

static ruleset ruleset_for(long version, bool is_folder)
{
    ruleset out = {.files = ACCESS_ALL};
    out.files |= version >= 2 ? ACCESS_REFER : 0;
    out.files |= version >= 3 ? ACCESS_TRUNCATE : 0;
    out.files |= version >= 5 ? ACCESS_IOCTL : 0;
    out.files &= is_folder ? ~0ull : ~(uint64_t)ACCESS_READ;
    out.network = version >= 4 ? NET_BIND_CONNECT : 0;
    out.scope = version >= 6 ? SCOPE_SOCKET_SIGNAL : 0;
    return out;
}

static bool add_folder(int rules, const char* folder)
{
    int descriptor = open(folder[0] != '\0' ? folder : ".", O_PATH | O_CLOEXEC | O_DIRECTORY);
    const path_rule rule = {ACCESS_READ, descriptor};
    bool is_added =
        descriptor >= 0 && syscall(ADD_RULE, rules, PATH_BENEATH, &rule, (uint32_t)0) == 0;
    if (descriptor >= 0)
    {
        close(descriptor);
    }
    return is_added;
}

static bool enter_landlock(const char* folder)
{
    long version = syscall(CREATE_RULESET, NULL, (size_t)0, GET_VERSION);
    if (version < 1)
    {
        return false;
    }
    const ruleset all = ruleset_for(version, folder != NULL);
    // Kernels older than a member accept it as long as it is 0.
    int rules = (int)syscall(CREATE_RULESET, &all, sizeof all, 0);
    if (rules < 0)
    {
        return false;
    }
    if (folder != NULL)
    {
        // A folder that is not there has no files to read.
        (void)add_folder(rules, folder);
    }
    bool is_entered = syscall(RESTRICT_SELF, rules, 0) == 0;
    close(rules);
    return is_entered;
}

// ---------------------------------------------------------------------------------------------
// seccomp (Documentation/userspace-api/seccomp_filter.rst): which system calls

#if defined(__x86_64__)
#define PROCESSOR AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define PROCESSOR AUDIT_ARCH_AARCH64
#endif

#ifdef PROCESSOR

enum
{
    MOST_INSTRUCTIONS = 256,
    LAST_OUTPUT = 3, // descriptors up to this one may be written to
    X32_CALLS = 0x40000000,
};

// Calls that can do no harm with any arguments.
static const int allowed[] = {
    SYS_read,
    SYS_readv,
    SYS_pread64,
    SYS_close,
    SYS_lseek,
    SYS_fstat,
    SYS_newfstatat,
    SYS_statx,
    SYS_readlinkat,
    SYS_faccessat,
    SYS_getcwd,
    SYS_getdents64,
    SYS_munmap,
    SYS_mremap,
    SYS_brk,
    SYS_madvise,
    SYS_futex,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_exit,
    SYS_exit_group,
    SYS_getpid,
    SYS_gettid,
    SYS_getppid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    SYS_gettimeofday,
    SYS_getrandom,
    SYS_getrusage,
    SYS_restart_syscall,
#ifdef SYS_stat // older names, which 64-bit ARM does not have
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_readlink,
    SYS_time,
    SYS_getrlimit,
#endif
#ifdef SYS_faccessat2
    SYS_faccessat2,
#endif
};

typedef struct filter
{
    struct sock_filter code[MOST_INSTRUCTIONS];
    unsigned short count;
} filter;

static void emit(filter* f, uint16_t code, uint32_t value, uint8_t if_true, uint8_t if_false)
{
    if (f->count < MOST_INSTRUCTIONS)
    {
        f->code[f->count] = (struct sock_filter){code, if_true, if_false, value};
    }
    ++f->count;
}

// The low half of an argument, which contains everything that is compared.
static void load_argument(filter* f, int index)
{
    emit(f, BPF_LD | BPF_W | BPF_ABS,
         (uint32_t)(offsetof(struct seccomp_data, args) + 8 * (size_t)index), 0, 0);
}

static void give(filter* f, uint32_t answer)
{
    emit(f, BPF_RET | BPF_K, answer, 0, 0);
}

// Allow a call if a comparison of an argument is true. The accumulator has the number of the call
// before this and, unless it is decided, after it.
// @param jump  BPF_JEQ, BPF_JGT or BPF_JSET
static void allow_if(filter* f, int call, int argument, uint16_t jump, uint32_t value, bool is_true)
{
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 4);
    load_argument(f, argument);
    emit(f, BPF_JMP | jump | BPF_K, value, is_true ? 0 : 1, is_true ? 1 : 0);
    give(f, SECCOMP_RET_ALLOW);
    give(f, SECCOMP_RET_ERRNO | 1 /* EPERM */);
}

static void build_filter(filter* f)
{
    const uint32_t own = (uint32_t)getpid();
    const uint32_t writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
    emit(f, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch), 0, 0);
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, PROCESSOR, 1, 0);
    give(f, SECCOMP_RET_KILL_PROCESS);
    emit(f, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
    emit(f, BPF_JMP | BPF_JGE | BPF_K, X32_CALLS, 0, 1);
    give(f, SECCOMP_RET_KILL_PROCESS);
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; ++i)
    {
        emit(f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)allowed[i], 0, 1);
        give(f, SECCOMP_RET_ALLOW);
    }
    allow_if(f, SYS_write, 0, BPF_JGT, LAST_OUTPUT, false);
    allow_if(f, SYS_writev, 0, BPF_JGT, LAST_OUTPUT, false);
    allow_if(f, SYS_openat, 2, BPF_JSET, writing, false);
#ifdef SYS_open
    allow_if(f, SYS_open, 1, BPF_JSET, writing, false);
#endif
    allow_if(f, SYS_mmap, 2, BPF_JSET, PROT_EXEC, false);
    allow_if(f, SYS_mprotect, 2, BPF_JSET, PROT_EXEC, false);
    allow_if(f, SYS_kill, 0, BPF_JEQ, own, true);
    allow_if(f, SYS_tgkill, 0, BPF_JEQ, own, true);
    allow_if(f, SYS_prlimit64, 0, BPF_JEQ, 0, true);
    // fdopen() asks for the mode of a descriptor.
    allow_if(f, SYS_fcntl, 1, BPF_JGT, F_GETFL, false);
    give(f, SECCOMP_RET_ERRNO | 1 /* EPERM */);
}

static bool enter_seccomp(void)
{
    filter f = {.count = 0};
    build_filter(&f);
    const struct sock_fprog program = {f.count, f.code};
    return f.count <= MOST_INSTRUCTIONS &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

#else

static bool enter_seccomp(void)
{
    return false;
}

#endif

pelti_sandbox pelti_sandbox_enter(const char* folder)
{
    // Without it an unprivileged process gets neither of the others.
    pelti_sandbox out = {false, false};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
    {
        out.has_landlock = enter_landlock(folder);
        out.has_seccomp = enter_seccomp();
    }
    return out;
}

#else

pelti_sandbox pelti_sandbox_enter(const char* folder)
{
    (void)folder;
    return (pelti_sandbox){false, false};
}

#endif
