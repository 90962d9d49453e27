package io.rankfeed.export.commit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.json.StrictJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

/**
 * The holder of a claim.
 *
 * @param application Spark's id of it
 * @param processes within which a pid means something: the boot of a machine, the pid namespace, and the user, who may
 *     see no process of others; empty if unknown
 * @param started when the process did, as its kernel counts
 * @param since when the claim was taken, by the holder's clock; for users
 * @param claim unlike that of any other claim
 */
public record Owner(
        String application, String host, String processes, long pid, String started, String since, String claim) {
    public static Owner self(String application) {
        long pid = ProcessHandle.current().pid();
        return new Owner(
                application,
                thisHost(),
                visibleProcesses(),
                pid,
                started(pid),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                UUID.randomUUID().toString());
    }

    /** @param beat goes up, so that the bytes differ as long as the holder lives */
    public byte[] toBytes(long beat) {
        return CanonicalJson.indented(JsonNodeFactory.instance
                .objectNode()
                .put("application", application)
                .put("host", host)
                .put("processes", processes)
                .put("pid", pid)
                .put("started", started)
                .put("since", since)
                .put("claim", claim)
                .put("beat", beat));
    }

    /** Bytes that are no claim (torn by a crash, or just being written) have an owner of whom nothing is known. */
    static Owner parse(byte[] bytes) {
        JsonNode json = JsonNodeFactory.instance.objectNode();
        try {
            json = StrictJson.parse(bytes, "a claim");
        } catch (RuntimeException e) {
            // Known by its absent members.
        }
        return new Owner(
                json.path("application").asText("unknown"),
                json.path("host").asText("unknown"),
                json.path("processes").asText(""),
                json.path("pid").asLong(0),
                json.path("started").asText(""),
                json.path("since").asText("unknown"),
                json.path("claim").asText(""));
    }

    /** Whether the bytes were a valid claim. */
    boolean isKnown() {
        return !claim.isEmpty();
    }

    /** Whether this process can see the owner's process, so that {@link #runs} is reliable. */
    boolean isNear() {
        return !processes.isEmpty() && processes.equals(visibleProcesses());
    }

    /**
     * Whether the process that took the claim runs. A later process with the same pid has another start time and does
     * not count.
     */
    boolean runs() {
        return !started.isEmpty() && started(pid).equals(started);
    }

    @Override
    public String toString() {
        return "application " + application + ", pid " + pid + " on " + host + ", since " + since;
    }

    private static String visibleProcesses() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip() + " "
                    + Files.readSymbolicLink(Path.of("/proc/self/ns/pid")) + " user "
                    + Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException | UnsupportedOperationException e) {
            return "";
        }
    }

    /** Ticks from boot to the start of a process; empty if there is none, or it is only waiting to be reaped. */
    private static String started(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            // The name, in brackets, may hold anything; the state follows it, and 19 fields on the start.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return fields[0].equals("Z") ? "" : fields[19];
        } catch (IOException | IndexOutOfBoundsException e) {
            return "";
        }
    }

    public static String thisHost() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }
}
