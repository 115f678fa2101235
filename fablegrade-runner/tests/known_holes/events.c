// "watch": counts events on files in folders that every sandbox shows. "open": opens these files for about two seconds.
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/fanotify.h>
#include <time.h>
#include <unistd.h>
static const char *folders[] = {"/", "/lib64", "/usr/lib64", "/usr/lib", "/usr/bin", "/usr/lib/x86_64-linux-gnu",
                                "/usr/lib/aarch64-linux-gnu", "/usr/lib/locale/C.utf8", "/proc", "/dev"};
static void visit(const char *folder) {
    DIR *open_folder = opendir(folder);
    if (!open_folder) return;
    for (struct dirent *entry; (entry = readdir(open_folder));) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        int file = open(path, O_RDONLY | O_NONBLOCK);
        char byte;
        if (file >= 0) { if (read(file, &byte, 1) < 0) {} close(file); }
    }
    closedir(open_folder);
}
int main(void) {
    char word[16] = "";
    if (scanf("%15s", word) != 1) return 2;
    int notes = inotify_init1(IN_NONBLOCK), marks = fanotify_init(FAN_CLASS_NOTIF | FAN_NONBLOCK, O_RDONLY), events = 0;
    for (int i = 0; i < 10; i++) {
        inotify_add_watch(notes, folders[i], IN_ALL_EVENTS);
        fanotify_mark(marks, FAN_MARK_ADD, FAN_OPEN | FAN_ACCESS | FAN_EVENT_ON_CHILD, AT_FDCWD, folders[i]);
    }
    char buffer[65536];
    for (time_t begun = time(0); time(0) - begun < 2;) {
        if (word[0] == 'o') for (int i = 0; i < 10; i++) visit(folders[i]);
        struct pollfd both[2] = {{notes, POLLIN, 0}, {marks, POLLIN, 0}};
        if (poll(both, 2, 20) > 0)
            for (int i = 0; i < 2; i++) if (both[i].fd >= 0 && read(both[i].fd, buffer, sizeof buffer) > 0) events++;
    }
    printf("%d\n", word[0] == 'w' ? events : 0);
}
