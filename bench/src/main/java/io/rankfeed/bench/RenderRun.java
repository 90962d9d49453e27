package io.rankfeed.bench;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rankfeed.text.chat.ChatException;
import io.rankfeed.text.chat.ChatOptions;
import io.rankfeed.text.chat.ChatTemplate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32;

/**
 * Renders conversations and finds the answers in them, without tokens: seconds from the first line of JSON to the last
 * text, in a JVM that has done nothing before. Prints a line of JSON; {@code crc} is the sum of the texts' CRC-32.
 */
public final class RenderRun {
    private static final TypeReference<List<Map<String, Object>>> MESSAGES = new TypeReference<>() {};

    private final ChatTemplate template;
    private final List<String> lines;

    private RenderRun(ChatTemplate template, List<String> lines) {
        this.template = template;
        this.lines = lines;
    }

    /** @param args file of JSON lines with {@code messages}; file of the template; the number of threads */
    public static void main(String[] args) throws IOException, ChatException, InterruptedException, ExecutionException {
        List<String> lines = Files.readAllLines(Path.of(args[0]));
        int threads = Integer.parseInt(args[2]);
        long began = System.nanoTime();
        ChatTemplate template = new ChatTemplate(
                Files.readString(Path.of(args[1])),
                Map.of("eos_token", "<|im_end|>", "pad_token", "<|endoftext|>"),
                ChatOptions.DEFAULT);
        RenderRun run = new RenderRun(template, lines);
        long crc = 0;
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            List<Future<Long>> parts = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int first = thread;
                parts.add(executor.submit(() -> run.render(first, threads)));
            }
            for (Future<Long> part : parts) {
                crc += part.get();
            }
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        System.out.printf(Locale.ROOT, "{\"seconds\": %.3f, \"crc\": %d}%n", seconds, crc);
    }

    private long render(int first, int step) throws IOException, ChatException {
        ObjectMapper json = new ObjectMapper();
        CRC32 crc = new CRC32();
        long sum = 0;
        for (int line = first; line < lines.size(); line += step) {
            List<Map<String, Object>> messages =
                    json.convertValue(json.readTree(lines.get(line)).get("messages"), MESSAGES);
            crc.reset();
            crc.update(template.render(messages, Map.of()).text().getBytes(StandardCharsets.UTF_8));
            sum += crc.getValue();
        }
        return sum;
    }
}
