package io.rankfeed.feeder.serve.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.json.StrictJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes {@code feeder.json}: its presence says that every socket is bound. */
public final class ReadyFile {
    private static final long MAX_BYTES = 1L << 20;

    private ReadyFile() {}

    /** Formats the text of the lock file; its first line names the holder, which a refused feeder prints. */
    static String lockText(String version) {
        ProcessHandle self = ProcessHandle.current();
        String since = self.info()
                .startInstant()
                .map(start -> " (since " + start + ")")
                .orElse("");
        return "pid " + self.pid() + since + "\nversion " + version + "\n";
    }

    /** Reads the pid of the feeder; −1 if the file does not exist or cannot be read. */
    public static long pid(Rendezvous rendezvous) {
        try {
            JsonNode json =
                    StrictJson.parse(StrictJson.readCapped(rendezvous.readyFile(), MAX_BYTES), Rendezvous.READY_FILE);
            return json.path("pid").asLong(-1);
        } catch (CorruptDataException | EnvironmentException e) {
            return -1;
        }
    }

    public static void write(Rendezvous rendezvous, Catalog catalog, ServeSettings settings) throws IOException {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("pid", ProcessHandle.current().pid());
        json.put("run", rendezvous.run());
        json.put("version", catalog.version());
        json.put("plan", catalog.plan());
        ArrayNode ranks = json.putArray("ranks");
        settings.ranks().forEach(ranks::add);
        json.put(
                "lanes",
                settings.feeds().stream().mapToInt(catalog::lanes).max().orElse(1));
        ArrayNode feeds = json.putArray("feeds");
        settings.feeds().forEach(feeds::add);
        Path temporary = rendezvous
                .directory()
                .resolve(Rendezvous.TEMPORARY_PREFIX + ProcessHandle.current().pid() + ".json");
        Files.write(temporary, CanonicalJson.indented(json), StandardOpenOption.CREATE_NEW);
        Files.move(temporary, rendezvous.readyFile(), StandardCopyOption.ATOMIC_MOVE);
    }
}
