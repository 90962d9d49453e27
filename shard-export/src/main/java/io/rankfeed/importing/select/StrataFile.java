package io.rankfeed.importing.select;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.rankfeed.importing.index.DatasetIndex;
import io.rankfeed.importing.index.DatasetRoot;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A JSON file with the strata of samples: an object {@code {name of the sample: stratum}}, or a list with a stratum for each sample. It is
 * read as a stream, because it may have as many members as a dataset has samples.
 */
final class StrataFile {
    private final Path file;
    private final JsonParser json;
    /** Each different stratum once. */
    private final Map<String, String> strata = new HashMap<>();

    private StrataFile(Path file, JsonParser json) {
        this.file = file;
        this.json = json;
    }

    /** @throws ConfigException if the file cannot be read, has another form, or does not match the samples */
    static Strata read(Path file, DatasetIndex index, SampleAddresses addresses) {
        // A decoder of this kind refuses bytes that are not UTF-8.
        try (Reader text = new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8.newDecoder());
                JsonParser json = new JsonFactory().createParser(text)) {
            return new StrataFile(file, json).strata(index, addresses);
        } catch (JsonProcessingException e) {
            throw new ConfigException(
                    "--strata " + file + " is not valid JSON: " + e.getOriginalMessage() + where(e.getLocation()), e);
        } catch (CharacterCodingException e) {
            throw new ConfigException("--strata " + file + " is not valid UTF-8", e);
        } catch (NoSuchFileException e) {
            throw new ConfigException("--strata " + file + ": no such file", e);
        } catch (IOException e) {
            throw new ConfigException(IoReason.of("--strata " + file + " cannot be read", e), e);
        }
    }

    private Strata strata(DatasetIndex index, SampleAddresses addresses) throws IOException {
        String stem = DatasetRoot.stem(file.toString());
        String column = Field.isName(stem) ? stem : "strata";
        JsonToken first = json.nextToken();
        if (first == JsonToken.START_OBJECT) {
            Map<String, String> byKey = new HashMap<>();
            while (json.nextToken() != JsonToken.END_OBJECT) {
                String key = json.currentName();
                json.nextToken();
                if (byKey.put(key, stratum()) != null) {
                    throw invalid("the sample '" + key + "' is a duplicate");
                }
            }
            requireEnd();
            return Strata.ofKeys(index, column, byKey, file.toString());
        } else if (first == JsonToken.START_ARRAY) {
            List<String> values = new ArrayList<>();
            while (json.nextToken() != JsonToken.END_ARRAY) {
                values.add(stratum());
            }
            requireEnd();
            return Strata.ofList(addresses, column, values, file.toString());
        }
        throw invalid("must be an object {sample: stratum}, or a list with a stratum for each sample");
    }

    private void requireEnd() throws IOException {
        if (json.nextToken() != null) {
            throw invalid("text follows its end");
        }
    }

    private String stratum() throws IOException {
        JsonToken token = json.currentToken();
        boolean isValue = token == JsonToken.VALUE_STRING
                || token == JsonToken.VALUE_NUMBER_INT
                || token == JsonToken.VALUE_TRUE
                || token == JsonToken.VALUE_FALSE;
        String text = isValue ? json.getText() : "";
        if (text.isEmpty() || text.getBytes(StandardCharsets.UTF_8).length > TextStrata.MAX_TEXT_BYTES) {
            throw invalid("a stratum must be a text of 1 to " + TextStrata.MAX_TEXT_BYTES
                    + " bytes, an integer, true or false");
        }
        String known = strata.putIfAbsent(text, text);
        SampleLists.requireCount(strata.size(), "--strata " + file);
        return known == null ? text : known;
    }

    private ConfigException invalid(String why) {
        return new ConfigException("--strata " + file + ": " + why + where(json.currentTokenLocation()));
    }

    private static String where(JsonLocation at) {
        return at == null ? "" : " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")";
    }
}
