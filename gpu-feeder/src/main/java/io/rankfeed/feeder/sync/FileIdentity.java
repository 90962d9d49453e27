package io.rankfeed.feeder.sync;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The identity of a file that was hashed: device, inode, length and time of the last write. */
record FileIdentity(long device, long inode, long bytes, long modifiedNanos) {
    static FileIdentity of(Path file) throws IOException {
        Map<String, Object> at =
                Files.readAttributes(file, "unix:dev,ino,size,lastModifiedTime", LinkOption.NOFOLLOW_LINKS);
        return new FileIdentity(
                number(at, "dev"),
                number(at, "ino"),
                number(at, "size"),
                at.get("lastModifiedTime") instanceof FileTime time ? time.to(TimeUnit.NANOSECONDS) : 0);
    }

    private static long number(Map<String, Object> attributes, String name) throws IOException {
        if (attributes.get(name) instanceof Number number) {
            return number.longValue();
        }
        throw new IOException("the file system reports no " + name);
    }
}
