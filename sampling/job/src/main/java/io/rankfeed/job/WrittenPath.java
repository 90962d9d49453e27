package io.rankfeed.job;

import io.rankfeed.schema.config.BadValue;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/**
 * A path as a job file states it, in parts as Hadoop's {@code Path} takes it apart: what is before a colon, and has no "/", is a
 * scheme; signs are not escaped; a drive letter after {@code file:} makes the path absolute.
 */
record WrittenPath(Optional<String> scheme, Optional<String> authority, String path) {
    /** @throws BadValue for {@code key}, if it is not a path */
    static WrittenPath of(String key, String written) {
        if (written.isEmpty()) {
            throw new BadValue(key, "must name a file or folder");
        }
        int colon = written.indexOf(':');
        int slash = written.indexOf('/');
        int start = colon >= 0 && (slash < 0 || colon < slash) ? colon + 1 : 0;
        Optional<String> scheme = start == 0 ? Optional.empty() : Optional.of(written.substring(0, colon));
        Optional<String> authority = Optional.empty();
        if (written.startsWith("//", start) && written.length() - start > 2) {
            int next = written.indexOf('/', start + 2);
            int end = next < 0 ? written.length() : next;
            authority = Optional.of(written.substring(start + 2, end));
            start = end;
        }
        String path = shortened(written.substring(start));
        if (scheme.isPresent() && scheme.get().equalsIgnoreCase("file") && path.matches("[A-Za-z]:.*")) {
            path = "/" + path.replace('\\', '/');
        }
        WrittenPath parts = new WrittenPath(scheme, authority, path);
        try {
            new URI(scheme.orElse(null), authority.orElse(null), parts.path, null, null);
        } catch (URISyntaxException e) {
            throw new BadValue(key, "'" + written + "' is not a path: " + e.getMessage());
        }
        return parts;
    }

    private static String shortened(String path) {
        String single = path.replace("//", "/");
        return single.length() > 1 && single.endsWith("/") ? single.substring(0, single.length() - 1) : single;
    }
}
